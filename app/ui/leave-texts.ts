/** Contains the texts of the dialog about unsaved changes. They have their own file, because only the owner's pages load them. */
export const leaveTexts = {
  question: 'Leave without saving?',
  isKept: 'Your changes are stored in this browser and return when you open this form again.',
  isLost: 'Your changes will be lost.',
  leave: 'Leave',
  stay: 'Stay',
}
