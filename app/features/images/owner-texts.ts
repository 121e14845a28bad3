import type { FileRefusal } from './image-upload.ts'
import { decodeErrorTexts } from './texts.ts'

export const sceneTexts = {
  'wallpaper-dark': 'Wallpaper of the dark theme',
  'wallpaper-light': 'Wallpaper of the light theme',
  'section-1': 'Picture of the first section',
  'section-2': 'Picture of the second section',
  'slide-1': 'Picture 1 of About',
  'slide-2': 'Picture 2 of About',
  'slide-3': 'Picture 3 of About',
  'slide-4': 'Picture 4 of About',
  'slide-5': 'Picture 5 of About',
}

export const sceneFormTexts = {
  preview: (name: string) => `Preview: ${name}`,
  upload: 'Upload picture',
  uploadOf: (name: string) => `Upload picture: ${name}`,
  uploading: 'Uploading…',
  saved: 'Picture saved',
  defaultShown: 'The default picture is shown again',
  useDefault: 'Back to the default',
  useDefaultOf: (name: string) => `Back to the default: ${name}`,
}

export const imageErrorTexts: Record<FileRefusal, string> = {
  'no-file': 'Please choose a picture first.',
  'not-an-image':
    'This is not a picture that the shop can show. Please choose a JPEG, PNG, WebP, AVIF, GIF or HEIC file.',
  'too-big': 'This file is larger than 10 MB. Please choose a smaller one.',
  ...decodeErrorTexts,
}
