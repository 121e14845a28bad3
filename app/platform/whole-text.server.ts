/**
 * The text of an answer beside the answer, for whoever sends it on (040): out of a Response it would come only as a stream, which costs more
 * than the page's own making.
 */

/** `packed`: the same once it has been made smaller for a browser; then the text may be let go. */
type Sheet = { text: string; packed: null } | { text: null; packed: Packed }
export type Packed = { bytes: Uint8Array<ArrayBuffer>; encoding: string | null }
/** An answer that is kept holds a sheet that others hold too: whoever packs it says so. */
export type Kept = { sheet: Sheet; whenPacked: (packed: Packed) => void }

/** Known by its name: the server has a copy of this file beside the one in the bundle. */
const TEXT = Symbol.for('the shop: text of an answer')
type WithSheet = Response & { [TEXT]?: Kept }

export function withSheet(response: WithSheet, kept: Kept): Response {
  response[TEXT] = kept
  return response
}

export const withText = (response: Response, text: string): Response =>
  withSheet(response, { sheet: { text, packed: null }, whenPacked: () => {} })

/** undefined: the answer's own body is all there is. */
export const sheetOf = (response: WithSheet): Kept | undefined => response[TEXT]
export const textOf = (response: WithSheet): string | undefined => response[TEXT]?.sheet.text ?? undefined
