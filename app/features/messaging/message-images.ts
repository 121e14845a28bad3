import type { PictureView } from '#app/ui/picture.tsx'

export const MAX_MESSAGE_PICTURES = 10

/** An image of a message, or null if the image was deleted together with the guest who sent it. */
export type MessagePicture = PictureView | null

const FOLDER = 'chat/'
export const PICTURES_ADDRESS = '/messages/pictures'

/** Returns the URL of an image in a message. Only the customer and the owner can open this URL, but anyone can open a URL under /pictures/. */
export const messageImageUrl = (path: string): string =>
  `${PICTURES_ADDRESS}/${path.slice(FOLDER.length)}`

/** Returns the path of the requested file and the possible paths of the original image, or null if the name in the URL is invalid. */
export function messageImagePaths(name: string): { file: string; originals: string[] } | null {
  const stem = /^([\w-]{1,120})(?:\.\d{1,5})?\.(?:jpg|png|webp|avif|gif)$/.exec(name)?.[1]
  if (!stem) return null
  return {
    file: FOLDER + name,
    originals: ['jpg', 'png', 'webp', 'avif', 'gif'].map((ending) => `${FOLDER}${stem}.${ending}`),
  }
}

/** Returns the ids of the images in the form fields of a message. */
export const namesOfPictures = (fields: Record<string, string> | undefined): string[] =>
  fields?.pictures?.split(',').filter(Boolean) ?? []
