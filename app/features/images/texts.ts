import type { FileRefusal } from './image-upload.ts'

export const decodeErrorTexts = {
  damaged: 'This picture is damaged or incomplete. Please send it again or choose another.',
  'too-many-pixels': 'This picture has too many pixels. Please send a smaller one.',
  'unread-heic': 'This HEIC photo could not be read here. Please send it as JPEG.',
}

export const shortFileErrorTexts: Record<FileRefusal, string> = {
  'no-file': 'select file',
  'not-an-image': 'select image',
  'too-big': 'too big',
  ...decodeErrorTexts,
}

export const itemFileErrorTexts: Record<FileRefusal, string> = {
  'no-file': 'please select a file',
  'not-an-image': 'please select an image',
  'too-big': 'file size is too big',
  ...decodeErrorTexts,
}

export const uploadTexts = {
  loggedOut: 'You are logged out. Log in again; your changes stay in this browser.',
  logIn: 'Please log in again.',
  noCategory: 'Please Select a Category',
  noUpload: 'There is no such upload',
  notDeleted: 'The file could not be deleted yet',
  noImage: 'There is no such picture.',
  unavailable: 'This picture cannot be shown at the moment.',
}
