/** How many pieces there are, in words. */

export const piecesText = (count: number): string => (count === 1 ? '1 piece' : `${count} pieces`)
