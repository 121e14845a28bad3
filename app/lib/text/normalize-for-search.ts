/** Searches compare texts without case and accents. Both databases contain the same function under the name `fold`. */

/** 'Crème BRÛLÉE' → 'creme brulee'; removes the marks that NFKD separates from Latin, Greek and Cyrillic letters. */
export const normalizeForSearch = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase()
