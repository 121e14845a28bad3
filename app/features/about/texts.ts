export const aboutTexts = {
  title: 'About',
  story: 'About the owner',
  slide: (number: number) => `Slide ${number}`,
  play: 'Play',
  pause: 'Pause',
  gallery: 'Browse the gallery',
  contact: 'Write to me',
}
