/** 'Crème BRÛLÉE' becomes 'creme brulee', as with `fold` in both databases. */
export const normalizeForSearch = (text: string) =>
  text
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase()
