export const MAX_MESSAGE_IMAGES = 10

const FOLDER = 'chat/'
export const IMAGES_URL = '/messages/pictures'

/** Only the customer and the owner can open this URL. */
export const messageImageUrl = (path: string) => `${IMAGES_URL}/${path.slice(FOLDER.length)}`

export function messageImagePaths(name: string) {
  const stem = /^([\w-]{1,120})(?:\.\d{1,5})?\.(?:jpg|png|webp|avif|gif)$/.exec(name)?.[1]
  if (!stem) return null
  return {
    file: FOLDER + name,
    originals: ['jpg', 'png', 'webp', 'avif', 'gif'].map((ending) => `${FOLDER}${stem}.${ending}`),
  }
}

export const namesOfImages = (fields: Record<string, string> | undefined) =>
  fields?.images?.split(',').filter(Boolean) ?? []
