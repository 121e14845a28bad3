export const homeErrorTexts = {
  wordCount: (most: number, found: number) =>
    `Please write 1 to ${most} words or phrases, one on each line. ${found === 0 ? 'There are none now.' : `There are ${found} now.`}`,
  longWord: (word: string, most: number) =>
    `At most ${most} characters fit on a line of the headline: “${word.slice(0, 60)}” is longer`,
}

export const editHomeTexts = {
  title: 'Home page',
  intro:
    'What visitors see first. Pictures and the ring change immediately; texts change when you save them.',
  wallpapers: 'Wallpaper',
  sectionImages: 'Pictures of the sections',
  noDiscount:
    'No piece has a discount now, so the banner would promise something that is not true.',
}

export const ringTexts = {
  title: 'The circles of categories on Home',
  hint: 'A circle shows its own picture, or the picture of its category.',
  empty:
    'The ring shows the categories that have a picture. Give a category a picture, or add one here.',
  order: 'Order of the circles',
  edit: 'Edit',
  editCircle: (category: string) => `Edit ${category}`,
  circleTitle: 'Title below the ring (optional)',
  image: 'Own picture of the circle (optional)',
  save: 'Save',
  saveCircle: (category: string) => `Save the circle of ${category}`,
  saving: 'Saving…',
  remove: 'Take out',
  removeCircle: (category: string) => `Take ${category} out of the ring`,
  removeQuestion: (category: string) => `Take ${category} out of the ring?`,
  unseen: 'Visitors see this circle when its category has a piece and is not hidden.',
  add: 'Add',
  addCategory: 'Add a category',
  tooLong: (most: number) => `At most ${most} characters`,
  noCategory: 'Please choose a category that is not in the ring',
  lastCircle: 'The ring needs at least one category',
}
