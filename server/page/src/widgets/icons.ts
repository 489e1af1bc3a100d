/** Icons for buttons, drawn with lines of one width in a square of 16 by 16. */

const paths = {
    text: 'M3 4h10M3 7h10M3 10h10M3 13h6',
    whitespace: 'M6.5 8.5a3 3 0 0 1 0-6H13M8 2.5v11M11 2.5v11',
    markdown: 'M2 11.5v-7l3 3.5 3-3.5v7M12 4.5v6.5M10 9l2 2.5L14 9',
    messages: 'M2.5 3h9v6h-5L4 11.5V9H2.5zM13.5 6v6H12v2l-2.5-2H7',
    cases: 'M2 3h5v10H2zM9 3h5v10H9z',
    compare: 'M8 2v12M2 5h4M4 3v4M10 11h4M2 13h4M10 5h4',
    copy: 'M5.5 5.5h7v8h-7zM3.5 10.5v-8h7',
    check: 'M3 8.5l3.5 3.5L13 4.5',
    save: 'M8 2v8M4.5 7L8 10.5 11.5 7M2.5 11v2.5h11V11',
    pin: 'M6 2h4M6.5 2v5L4 9.5h8L9.5 7V2M8 9.5V14',
    sync: 'M5 2.5v11M2.5 11L5 13.5 7.5 11M11 13.5v-11M8.5 5L11 2.5 13.5 5',
    side: 'M2 3h12v10H2zM10 3v10M11.5 5.5h1M11.5 8h1',
    help: 'M5.5 6a2.5 2.5 0 1 1 3.6 2.2C8.3 8.7 8 9.2 8 10.200M8 12.700v.6',
    add: 'M8 3v10M3 8h10',
    remove: 'M3 4.500h10M6.5 4.500v-2h3v2M4.5 4.500l.5 9h6l.5-9',
    close: 'M4 4l8 8M12 4l-8 8',
    chevron: 'M6 4l4 4-4 4',
    previous: 'M8 13V3M4 7l4-4 4 4',
    next: 'M8 3v10M4 9l4 4 4-4',
    swap: 'M3 5h9M9.5 2.500L12 5 9.5 7.500M13 11H4M6.5 8.500L4 11l2.5 2.5',
    error: 'M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2zM5.8 5.800l4.4 4.400M10.2 5.800l-4.4 4.4',
    warning: 'M8 2.500L14.5 13.500h-13zM8 6.500v3.500M8 11.500v.6',
    info: 'M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2zM8 7.500v3.500M8 5v.6',
    fold: 'M2.5 8h11M8 2v3.500M6 4l2 1.500L10 4M8 14v-3.500M6 12l2-1.5 2 1.5',
    rows: 'M2.5 3.500h11v9h-11zM2.5 8h11',
} as const;

export type IconName = keyof typeof paths;

const svg = 'http://www.w3.org/2000/svg';

/** An icon. It has no accessible name; its parent has one. */
export function icon(name: IconName): SVGSVGElement {
    const picture = document.createElementNS(svg, 'svg');
    for (const [attribute, value] of Object.entries({ viewBox: '0 0 16 16', width: '16', height: '16', class: 'icon', 'aria-hidden': 'true' })) {
        picture.setAttribute(attribute, value);
    }
    const path = document.createElementNS(svg, 'path');
    path.setAttribute('d', paths[name]);
    picture.append(path);
    return picture;
}
