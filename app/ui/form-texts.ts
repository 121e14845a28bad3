/** Every page loads texts.ts, but only forms need these texts. */

export const formTexts = {
  email: 'Email',
  yes: 'Yes',
  no: 'No',
  cancel: 'Cancel',
  submit: 'Submit',
  showPassword: 'Show password',
  search: 'Search',
}

export const leaveTexts = {
  question: 'Leave without saving?',
  isKept: 'Your changes are stored in this browser and return when you open this form again.',
  isLost: 'Your changes will be lost.',
  leave: 'Leave',
  stay: 'Stay',
}
