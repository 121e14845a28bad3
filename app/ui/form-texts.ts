/** Contains the texts of forms, dialogs and carousels. They are not in texts.ts, because every page loads texts.ts. */

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
