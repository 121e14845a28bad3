import { shortFileErrorTexts } from '#images/texts.ts'
import type { LogoRefusal } from './logo.ts'

export const logoTexts = {
  title: 'Logo',
  hint: 'Shown beside the shop’s name, in browser tabs and on home screens. The middle square of the picture is used. Without a logo, the shop shows its knot.',
  image: 'Picture of your logo',
  current: 'Your logo',
  save: 'Use this logo',
  remove: 'Remove logo',
  removeQuestion: 'Remove the logo? The shop shows its knot again.',
  saved: 'Logo saved',
  removed: 'Logo removed',
  failed: 'The logo could not be saved. Please try again.',
}

export const logoErrorTexts = (minSide: number): Record<LogoRefusal, string> => ({
  ...shortFileErrorTexts,
  'no-file': 'Please choose a picture.',
  'not-an-image':
    'Please choose a JPEG, PNG, WebP, AVIF, GIF or HEIC picture. An SVG drawing can be saved as PNG first.',
  'too-big': 'This picture is larger than 10 MB. Please choose a smaller one.',
  'too-small': `This picture is too small. Please choose one of at least ${minSide} × ${minSide} pixels.`,
})
