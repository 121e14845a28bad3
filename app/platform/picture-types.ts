/** What may be shown to everybody out of the stored files: pictures in the folders of pictures, and nothing else that lies beside them. */

/** FILES-11, S-091: exactly this many bytes still pass. */
export const MAX_PICTURE_BYTES = 10_485_760

const types: Record<string, string> = { jpg: 'image/jpeg', png: 'image/png', webp: 'image/webp', avif: 'image/avif', gif: 'image/gif' }

/** The type that the extension of a stored path names; the shop gave it that extension by its content. null: no picture. */
export function pictureTypeOf(path: string): string | null {
  const extension = /\.([a-z]+)$/.exec(path)?.[1] ?? ''
  return Object.hasOwn(types, extension) ? types[extension]! : null
}

/** FILES-01 to FILES-03; what is kept elsewhere, such as drawn pictures for sharing, has addresses of its own. */
export const isShownPath = (path: string): boolean => /^(items|colors|category|people|scenes)\/([\w-]+\/)?[\w-][\w.-]*$/.test(path)

/** 034: the path, without endings, of a photo that a person sent; null for the faces that came with the shop. */
export const photoStemOf = (url: string | null): string | null =>
  /^(?:\/pictures\/)?(people\/[A-Za-z0-9]{22})\.[\w.]+$/.exec(url ?? '')?.[1] ?? null

/** Where the pictures of an item of that category lie; ids that moved in with another shop may be no name of a folder. */
export const itemFolder = (categoryId: string): `items/${string}` =>
  /^[\w-]{1,100}$/.test(categoryId) ? `items/${categoryId}` : 'items/moved'
