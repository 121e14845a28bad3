/** What the owner's picture fields say. */

/** Names of the pictures of Home and About. */
export const sceneTexts = {
  'wallpaper-dark': 'Wallpaper of the dark theme',
  'wallpaper-light': 'Wallpaper of the light theme',
  'slide-1': 'Picture 1 of About',
  'slide-2': 'Picture 2 of About',
  'slide-3': 'Picture 3 of About',
  'slide-4': 'Picture 4 of About',
  'slide-5': 'Picture 5 of About',
}
