/** Contains the texts that screen readers announce in a sortable list. They are not in texts.ts, because every page loads texts.ts. */

const position = (at: number, count: number) => `position ${at + 1} of ${count}`

export const sortableTexts = {
  instructions: 'Drag it to another place, or press the space bar and use the arrow keys.',
  move: (name: string) => `Move ${name}`,
  pickedUp: (name: string, at: number, count: number) =>
    `${name} picked up, ${position(at, count)}. Move it with the arrow keys, drop it with the space bar, cancel with Escape.`,
  over: (name: string, at: number, count: number) => `${name}, ${position(at, count)}.`,
  dropped: (name: string, at: number, count: number) =>
    `${name} dropped at ${position(at, count)}.`,
  back: (name: string, at: number, count: number) => `${name} is back at ${position(at, count)}.`,
}
