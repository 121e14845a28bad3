import { expect, test } from 'vitest'
import { deletionSummaryTexts } from '#account/texts.ts'
import { deletedDataText } from '../account-section.tsx'

test.each([
  [{}, ''],
  [{ messages: 1 }, '1 message'],
  [{ favorites: 1, testimonies: 2 }, '1 favorite and 2 testimonies'],
  [
    { favorites: 2, messages: 3, images: 1, testimonies: 1 },
    '2 favorites, 3 messages with 1 picture and 1 testimony',
  ],
])('the summary of a deletion describes the deleted data %j as "%s" [S-222]', (counts, text) => {
  expect(
    deletedDataText({
      favorites: 0,
      messages: 0,
      images: 0,
      testimonies: 0,
      purchases: 0,
      invoices: 0,
      invoiceYears: 10,
      credits: 0,
      requested: [],
      hasAgreement: false,
      ...counts,
    }),
  ).toBe(text)
})

test.each([
  [['A', 'B', 'C'], 'A, B, C'],
  [['A', 'B', 'C', 'D', 'E'], 'A, B, C and 2 more'],
])('the summary of a deletion lists the withdrawn requests %j as "%s" [S-222]', (asked, text) => {
  expect(deletionSummaryTexts.requested(asked)).toBe(`Open requests are withdrawn: ${text}.`)
})
