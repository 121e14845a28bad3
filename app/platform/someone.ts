/** The first sign of a person, and its answer painted: until then a page fetches what its first screen needs, and nothing in advance. Browser only. */

import { afterPaint } from './after-paint.ts'

export const signs = ['pointerdown', 'pointermove', 'touchstart', 'wheel', 'scroll', 'keydown', 'click'] as const

let sign: Promise<void> | undefined

/** Those who scrolled before the scripts came will do so again. */
export const someoneIsThere = (): Promise<void> =>
  (sign ??= new Promise<void>((resolve) => {
    for (const name of signs) window.addEventListener(name, () => resolve(), { once: true, passive: true })
  }).then(afterPaint))

/** The visitor has asked their browser to spare data: nothing is fetched on suspicion. */
export const sparesData = (): boolean => (navigator as { connection?: { saveData?: boolean } }).connection?.saveData === true
