/** Defines which stored files are public images. */

/** Bytes; the limit is inclusive. [FILES-11, S-091] */
export const MAX_IMAGE_BYTES = 10_485_760

/** Other files, such as rendered share images, have URLs of their own. [FILES-01 to FILES-03] */
export const isPublicImagePath = (path: string): boolean =>
  /^(items|colors|category|people|scenes|brand)\/([\w-]+\/)?[\w-][\w.-]*$/.test(path)

/** Returns the path of an uploaded profile photo without extensions; null for the demo's photos. */
export const profilePhotoStem = (url: string | null): string | null =>
  /^(?:\/pictures\/)?(people\/[A-Za-z0-9]{22})\.[\w.]+$/.exec(url ?? '')?.[1] ?? null

/** An imported category id may be invalid as the name of a folder. */
export const itemFolder = (categoryId: string): `items/${string}` =>
  /^[\w-]{1,100}$/.test(categoryId) ? `items/${categoryId}` : 'items/moved'
