/** What the dialog about unsaved changes says. A file of its own, because only the owner's screens load it. */
export const leaveTexts = {
  question: 'Leave without saving?',
  isKept: 'Your changes are stored in this browser and return when you open this form again.',
  isLost: 'Your changes will be lost.',
  leave: 'Leave',
  stay: 'Stay',
}
