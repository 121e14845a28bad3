/** Packing slips have one of these sizes. Label printers use two of them, and other printers use the paper sizes. */
export const SLIP_SIZES = ['4x6', 'A6', 'Letter', 'A4'] as const
export type SlipSize = (typeof SLIP_SIZES)[number]
