"""langfuse: `TemplateParser.compile_template`."""

import sys

from alone import answer, import_alone, stand_in

stand_in("langfuse.api")
stand_in("langfuse.logger")
parser = import_alone(sys.argv[1], "langfuse.model").TemplateParser

answer(lambda template, inputs: {"text": parser.compile_template(template, inputs)})
