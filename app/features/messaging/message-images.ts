import type { PictureView } from '#app/ui/picture.tsx'

export const MAX_MESSAGE_PICTURES = 10

/** null: the image was deleted together with the guest who sent it */
export type MessagePicture = PictureView | null

const FOLDER = 'chat/'
export const PICTURES_ADDRESS = '/messages/pictures'

/** Unlike a URL under /pictures/, this URL opens only for the two sides of the conversation. */
export const messageImageUrl = (path: string): string => `${PICTURES_ADDRESS}/${path.slice(FOLDER.length)}`

/** Returns the paths of the files that the name in a URL may mean, or null for an invalid name. */
export function messageImagePaths(name: string): { file: string; originals: string[] } | null {
  const stem = /^([\w-]{1,120})(?:\.\d{1,5})?\.(?:jpg|png|webp|avif|gif)$/.exec(name)?.[1]
  if (!stem) return null
  return { file: FOLDER + name, originals: ['jpg', 'png', 'webp', 'avif', 'gif'].map((ending) => `${FOLDER}${stem}.${ending}`) }
}

/** Returns the upload ids in the form of the message. */
export const namesOfPictures = (fields: Record<string, string> | undefined): string[] => fields?.pictures?.split(',').filter(Boolean) ?? []
