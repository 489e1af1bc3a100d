//! All tests from outside as one program, so that it is linked once and they run side by side.

mod braces_properties;
mod chat_messages;
mod code_properties;
mod code_vectors;
mod conditions;
mod constants_in_texts;
mod data_files;
mod data_reading;
mod data_vectors;
mod edit_properties;
mod edit_vectors;
mod go_reading;
mod java_reading;
mod kotlin_reading;
mod later_arguments;
mod python_reading;
mod script_properties;
mod script_reading;
mod shown;
mod text_files;
mod text_references;
mod typing_properties;
mod unread_code;
mod vectors;
mod whole_map;
