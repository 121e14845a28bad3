/** Shared by browser and server. */

/** FILES-11, S-091: exactly this many bytes still pass. */
export const MAX_PICTURE_BYTES = 10_485_760
