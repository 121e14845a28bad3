/** What forms, dialogs and carousels say. A file of its own, because every page loads texts.ts. */

export const formTexts = {
  email: 'Email',
  yes: 'Yes',
  no: 'No',
  cancel: 'Cancel',
  submit: 'Submit',
  showPassword: 'Show password',
  search: 'Search',
  slide: (number: number, count: number) => `${number} of ${count}`,
}
