import { pluralize } from '#ui/format-count.ts'

export const firestoreImportTexts = {
  title: 'Firestore import',
  back: 'Import and export',
  none: 'No other shop was imported. The person who runs the server can do it; the manual explains how in “Moving here”.',
  findings: (count: number) => `${pluralize(count, 'finding')}, one by one`,
  moreFindings: "The report file in the shop's data folder contains the rest.",
}
