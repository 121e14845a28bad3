/** 'Crème BRÛLÉE' becomes 'creme brulee', as with the SQL function `fold`. */
export const normalizeForSearch = (text: string) =>
  text
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase()
