import type { PictureView } from '#app/ui/picture.tsx'

/** S-173 */
export const MAX_MESSAGE_PICTURES = 10

/** null: gone, with the guest who sent it */
export type MessagePicture = PictureView | null

const FOLDER = 'chat/'
export const PICTURES_ADDRESS = '/messages/pictures'

/** Where the two of the conversation see a stored picture; /pictures/ shows none of them. */
export const chatPictureUrl = (path: string): string => `${PICTURES_ADDRESS}/${path.slice(FOLDER.length)}`

/** The paths of the pictures that a name of such an address may mean, and the path of the file itself; null: no such name. */
export function chatPathsOf(name: string): { file: string; originals: string[] } | null {
  const stem = /^([\w-]{1,120})(?:\.\d{1,5})?\.(?:jpg|png|webp|avif|gif)$/.exec(name)?.[1]
  if (!stem) return null
  return { file: FOLDER + name, originals: ['jpg', 'png', 'webp', 'avif', 'gif'].map((ending) => `${FOLDER}${stem}.${ending}`) }
}

export const PICTURE_FAILED = 'This picture could not be sent.'
export const PICTURE_GONE = 'This picture is no longer there.'
export const TOO_MANY_PICTURES = `A message takes at most ${MAX_MESSAGE_PICTURES} pictures. The others can go in the next one.`
export const PICTURES_FAILED = 'A picture could not be sent. Try it again or remove it.'
export const PICTURES_LOST = 'A picture of this message is no longer in the shop. Please add it again.'
export const PICTURES_LEFT = 'Its pictures were not all sent before the page was left. Discard it and add them again.'
/** What names the pictures of a message in its form: ids of uploads. */
export const namesOfPictures = (fields: Record<string, string> | undefined): string[] => fields?.pictures?.split(',').filter(Boolean) ?? []
export const PICTURE_ONLY = 'Picture'
