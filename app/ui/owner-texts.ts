/** Every page loads texts.ts, but only the owner's lists announce these texts. */

const position = (index: number, count: number) => `position ${index + 1} of ${count}`

export const sortableTexts = {
  instructions: 'Drag it to another place, or press the space bar and use the arrow keys.',
  move: (name: string) => `Move ${name}`,
  step: { up: 'Move up', down: 'Move down' },
  pickedUp: (name: string, index: number, count: number) =>
    `${name} picked up, ${position(index, count)}. Move it with the arrow keys, drop it with the space bar, cancel with Escape.`,
  over: (name: string, index: number, count: number) => `${name}, ${position(index, count)}.`,
  dropped: (name: string, index: number, count: number) =>
    `${name} dropped at ${position(index, count)}.`,
  back: (name: string, index: number, count: number) =>
    `${name} is back at ${position(index, count)}.`,
}
