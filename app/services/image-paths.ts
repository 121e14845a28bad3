export const MAX_UPLOAD_BYTES = 10_485_760

export const isPublicImagePath = (path: string) =>
  /^(items|colors|category|people|scenes|brand)\/([\w-]+\/)?[\w-][\w.-]*$/.test(path)

export const profilePhotoStem = (url: string | null) =>
  /^(?:\/pictures\/)?(people\/[A-Za-z0-9]{22})\.[\w.]+$/.exec(url ?? '')?.[1] ?? null

/** The id of an imported category may be no valid name of a folder. */
export const itemFolder = (categoryId: string): `items/${string}` =>
  /^[\w-]{1,100}$/.test(categoryId) ? `items/${categoryId}` : 'items/moved'
