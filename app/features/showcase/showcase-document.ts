/** A showcase record as the contract of section 3 describes it (DATA-069 to DATA-072). */

export type ShowcaseDocument = { id: string; title: string; url: string; categoryID: string; deg: number }

export const showcaseDocument = ({
  categoryId,
  ...same
}: Omit<ShowcaseDocument, 'categoryID'> & { categoryId: string }): ShowcaseDocument => ({
  ...same,
  categoryID: categoryId,
})
