/**
 * Names and positions of characters that are invisible or look like others.
 *
 * A model reads all of them. Attackers hide words in tag characters and variation selectors, and
 * change the order of letters with bidi controls; so every view shows them.
 */

/** A flagged piece of a text. */
export interface Flagged {
    start: number;
    end: number;
    /** A short label in its place. */
    label: string;
    /** A description for the tooltip. */
    name: string;
}

const names: Record<number, [label: string, name: string]> = {
    0x00: ['NUL', 'null'],
    0x07: ['BEL', 'bell'],
    0x08: ['BS', 'backspace'],
    0x0b: ['VT', 'line tabulation'],
    0x0c: ['FF', 'form feed'],
    0x0d: ['CR', 'carriage return without a line feed'],
    0x1b: ['ESC', 'escape'],
    0x7f: ['DEL', 'delete'],
    0x85: ['NEL', 'next line'],
    0xa0: ['NBSP', 'no-break space'],
    0xad: ['SHY', 'soft hyphen'],
    0x034f: ['CGJ', 'combining grapheme joiner'],
    0x061c: ['ALM', 'Arabic letter mark'],
    0x115f: ['HCF', 'Hangul choseong filler'],
    0x1160: ['HJF', 'Hangul jungseong filler'],
    0x1680: ['OGSP', 'Ogham space mark'],
    0x180e: ['MVS', 'Mongolian vowel separator'],
    0x2000: ['NQSP', 'en quad'],
    0x2001: ['MQSP', 'em quad'],
    0x2002: ['ENSP', 'en space'],
    0x2003: ['EMSP', 'em space'],
    0x2004: ['3/MSP', 'three-per-em space'],
    0x2005: ['4/MSP', 'four-per-em space'],
    0x2006: ['6/MSP', 'six-per-em space'],
    0x2007: ['FSP', 'figure space'],
    0x2008: ['PSP', 'punctuation space'],
    0x2009: ['THSP', 'thin space'],
    0x200a: ['HSP', 'hair space'],
    0x200b: ['ZWSP', 'zero width space'],
    0x200c: ['ZWNJ', 'zero width non-joiner'],
    0x200d: ['ZWJ', 'zero width joiner'],
    0x200e: ['LRM', 'left-to-right mark'],
    0x200f: ['RLM', 'right-to-left mark'],
    0x2028: ['LS', 'line separator'],
    0x2029: ['PS', 'paragraph separator'],
    0x202a: ['LRE', 'left-to-right embedding'],
    0x202b: ['RLE', 'right-to-left embedding'],
    0x202c: ['PDF', 'pop directional formatting'],
    0x202d: ['LRO', 'left-to-right override'],
    0x202e: ['RLO', 'right-to-left override'],
    0x202f: ['NNBSP', 'narrow no-break space'],
    0x205f: ['MMSP', 'medium mathematical space'],
    0x2060: ['WJ', 'word joiner'],
    0x2061: ['FA', 'function application'],
    0x2062: ['IT', 'invisible times'],
    0x2063: ['IS', 'invisible separator'],
    0x2064: ['IP', 'invisible plus'],
    0x2066: ['LRI', 'left-to-right isolate'],
    0x2067: ['RLI', 'right-to-left isolate'],
    0x2068: ['FSI', 'first strong isolate'],
    0x2069: ['PDI', 'pop directional isolate'],
    0x2800: ['BRSP', 'braille pattern blank'],
    0x3000: ['IDSP', 'ideographic space'],
    0x3164: ['HF', 'Hangul filler'],
    0xfeff: ['BOM', 'zero width no-break space, or byte order mark'],
    0xffa0: ['HWHF', 'halfwidth Hangul filler'],
    0xfff9: ['IAA', 'interlinear annotation anchor'],
    0xfffa: ['IAS', 'interlinear annotation separator'],
    0xfffb: ['IAT', 'interlinear annotation terminator'],
    0xfffc: ['OBJ', 'object replacement character'],
};

/**
 * Characters that are not drawn, or drawn like a space without being one. Excludes format
 * characters with a shape, such as the Arabic number sign.
 */
const unseen =
    /(?![\t\n \u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u{110bd}\u{110cd}])[\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}\p{Cs}\p{Z}\u2800\ufffc]/u;

/** Matches texts that are certainly free of them, as most are; fast. */
const plain = /^[\t\n -~¡-¬®-˿]*$/;

const emoji = /\p{RGI_Emoji}/vy;

/** The flagged pieces of a text, in order. */
export function flagged(text: string): Flagged[] {
    if (plain.test(text) || !unseen.test(text)) {
        return [];
    }
    const found: Flagged[] = [];
    for (let at = 0; at < text.length; ) {
        const code = text.codePointAt(at) ?? 0;
        const end = at + (code > 0xffff ? 2 : 1);
        if (code < 0x20 || code > 0x7e) {
            const whole = wholeEmoji(text, at);
            if (whole > end) {
                at = whole;
                continue;
            }
            if (isFlagged(text, at, code)) {
                join(found, text, { start: at, end, label: labelOf(code), name: nameOf(code) });
            }
        }
        at = end;
    }
    return found.map(named(text));
}

/** Whether a text has flagged pieces. Cheaper than finding them. */
export function isFlaggedIn(text: string): boolean {
    return !plain.test(text) && flagged(text).length > 0;
}

/** The end of a fully rendered emoji that starts here: its joiners hide nothing. */
function wholeEmoji(text: string, at: number): number {
    emoji.lastIndex = at;
    const whole = emoji.exec(text)?.[0] ?? '';
    // Flags of regions within countries are spelt in tag characters, like hidden words.
    return /[\u{e0000}-\u{e007f}]/u.test(whole) ? at : at + whole.length;
}

function isFlagged(text: string, at: number, code: number): boolean {
    if (code === 0x0d) {
        return text.charCodeAt(at + 1) !== 0x0a;
    }
    if (code === 0xfe0e || code === 0xfe0f) {
        // It selects one of the two forms of the emoji before it.
        return !/[\p{Emoji}]$/u.test(text.slice(Math.max(0, at - 2), at));
    }
    return unseen.test(String.fromCodePoint(code));
}

/** Adds a piece; joins it with the previous one if both are of the same kind. */
function join(found: Flagged[], text: string, piece: Flagged): void {
    const last = found.at(-1);
    if (last?.end === piece.start && kindAt(text, last.start) === kindAt(text, piece.start)) {
        last.end = piece.end;
    } else {
        found.push(piece);
    }
}

/**
 * Neighbours of one kind are flagged together. The kind is the code itself, except for characters
 * that encode words.
 */
function kindAt(text: string, at: number): number {
    const code = text.codePointAt(at) ?? 0;
    return isTag(code) ? 0xe0000 : isSelector(code) ? 0xfe00 : code;
}

function named(text: string): (piece: Flagged) => Flagged {
    return ({ start, end, label, name }) => {
        const codes = [...text.slice(start, end)].map((it) => it.codePointAt(0) ?? 0);
        const [first] = codes;
        if (first === undefined || (codes.length === 1 && !isTag(first))) {
            return { start, end, label, name };
        }
        if (isTag(first)) {
            const word = spelt(codes);
            const short = word.length > 24 ? `${word.slice(0, 23)}…` : word;
            const what = codes.length === 1 ? 'tag character' : `${codes.length} tag characters`;
            return { start, end, label: `TAG ${short || hex(first)}`, name: `${what}: ${word || hex(first)}` };
        }
        const times = `×${codes.length}`;
        return { start, end, label: `${label}${times}`, name: `${name}, ${codes.length} times` };
    };
}

/** The word that tag characters encode. */
function spelt(codes: number[]): string {
    const letters = codes.filter((it) => it >= 0xe0020 && it < 0xe007f);
    return letters.map((it) => String.fromCharCode(it - 0xe0000)).join('');
}

function isTag(code: number): boolean {
    return code >= 0xe0000 && code <= 0xe007f;
}

function isSelector(code: number): boolean {
    return (code >= 0xfe00 && code <= 0xfe0f) || (code >= 0xe0100 && code <= 0xe01ef);
}

function selectorNumber(code: number): number {
    return code < 0xe0100 ? code - 0xfe00 + 1 : code - 0xe0100 + 17;
}

function labelOf(code: number): string {
    return isSelector(code) ? `VS${selectorNumber(code)}` : (names[code]?.[0] ?? hex(code));
}

function nameOf(code: number): string {
    const name = isSelector(code) ? `variation selector ${selectorNumber(code)}` : names[code]?.[1];
    return name === undefined ? `${hex(code)} ${kindOf(code)}` : `${hex(code)} ${name}`;
}

function kindOf(code: number): string {
    if (code < 0x20 || (code >= 0x7f && code < 0xa0)) {
        return 'control character';
    }
    return code >= 0xd800 && code <= 0xdfff ? 'half of a character' : 'invisible character';
}

function hex(code: number): string {
    return `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
}
