/** Packing slips have one of these sizes: two for label printers, two for paper. */
export const SLIP_SIZES = ['4x6', 'A6', 'Letter', 'A4'] as const
export type SlipSize = (typeof SLIP_SIZES)[number]
