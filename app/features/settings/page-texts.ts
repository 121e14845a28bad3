import type { ActionResult } from '#app/ui/action-result.ts'

/** `typed`: what a refused form contained */
export type PageTextsResult = ActionResult & { typed?: Record<string, string | boolean> }

/** The texts that the forms of Home and About share. */
export const pageTexts = {
  save: 'Save',
  saved: 'Saved',
  preview: 'Preview',
  previewTitle: 'Preview',
  previewNotice: 'This is a preview. Nothing has been saved.',
  correctFirst: 'Please correct these texts, then look at the preview again:',
  seePage: 'See it in the shop',
}
