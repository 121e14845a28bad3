/** When and how far a chosen picture is made smaller before it is sent. */

/**
 * Tried one after the other until the picture is light. The shop's widest version has 1440 pixels; on the longer side lies room for larger
 * screens to come.
 */
export const STEPS = [
  { longest: 2560, quality: 0.85 },
  { longest: 2048, quality: 0.8 },
  { longest: 1920, quality: 0.7 },
] as const
/** Four of them go out over a line of 400 kbit/s in less than a minute (issue: adding a piece on a slow line). */
export const LIGHT_BYTES = 600_000
/** What the card of the form shows. */
export const PREVIEW_SIDE = 480
/** Less gain than this is not worth another loss of quality. */
const WORTH = 0.9

type Size = { width: number; height: number }

/** Never larger than it is. */
export function fitInto({ width, height }: Size, longest: number): Size {
  const scale = Math.min(1, longest / Math.max(width, height))
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) }
}

/** What is not is sent as it is. */
export const isHuge = ({ width, height }: Size, bytes: number): boolean => bytes > LIGHT_BYTES || Math.max(width, height) > STEPS[0].longest

export const isWorthIt = (before: number, after: number): boolean => after < before * WORTH

/**
 * The type in which a picture is written again: its own, so that its extension stays (FILES-04); HEIC becomes JPEG. null: sent untouched,
 * because no browser writes that type or it may move.
 */
export function typeOfShrunken(type: string, head: Uint8Array): 'image/jpeg' | 'image/png' | 'image/webp' | null {
  if (type === 'image/jpeg' || type === 'image/heic' || type === 'image/heif') return 'image/jpeg'
  if (type === 'image/png' || type === 'image/webp') return isMoving(head) ? null : type
  return null
}

/** Animated PNG and WebP say so at their beginning. */
const isMoving = (head: Uint8Array): boolean => /acTL|ANIM/.test(String.fromCharCode(...head.subarray(0, 4096)))
