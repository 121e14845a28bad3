import type { ActionResult } from '#app/ui/action-result.ts'

/** After a refused form, `typed` contains the values that the owner typed, so that the page can show these values again. */
export type PageTextsResult = ActionResult & { typed?: Record<string, string | boolean> }

/** The forms for the Home page and for the About page show these texts. */
export const pageTexts = {
  save: 'Save',
  saved: 'Saved',
  preview: 'Preview in a new tab',
  previewTitle: 'Preview',
  previewNotice: 'This is a preview. Nothing has been saved. Close this tab to go on editing.',
  correctFirst: 'Please correct these texts, then look at the preview again:',
  seePage: 'See it in the shop',
}
