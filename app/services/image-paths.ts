/** An image may have at most this many bytes. [FILES-11, S-091] */
export const MAX_IMAGE_BYTES = 10_485_760

/** Returns true for images that /pictures/ serves to everyone. Other files, such as rendered share images, have URLs of their own. [FILES-01 to FILES-03] */
export const isPublicImagePath = (path: string): boolean =>
  /^(items|colors|category|people|scenes|brand)\/([\w-]+\/)?[\w-][\w.-]*$/.test(path)

/** Returns the path of an uploaded profile photo without its extensions, and null for any other photo, such as a photo of the demo shop. */
export const profilePhotoStem = (url: string | null): string | null =>
  /^(?:\/pictures\/)?(people\/[A-Za-z0-9]{22})\.[\w.]+$/.exec(url ?? '')?.[1] ?? null

/** Returns the folder of an item's images. Categories whose imported ids are not valid folder names share one folder. */
export const itemFolder = (categoryId: string): `items/${string}` =>
  /^[\w-]{1,100}$/.test(categoryId) ? `items/${categoryId}` : 'items/moved'
