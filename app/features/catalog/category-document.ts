/** A category as the contract of section 3 describes it (DATA-065 to DATA-068); without a picture its url is ''. */

export type CategoryDocument = { id: string; title: string; color: string; url: string; createdAt: number }

export const categoryDocument = ({ id, title, color, url, createdAt }: CategoryDocument): CategoryDocument => ({
  id,
  title,
  color,
  url,
  createdAt,
})
