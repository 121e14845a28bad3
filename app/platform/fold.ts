/** How texts are compared in searches: without capitals and accents. Both databases know the same as their function `fold`. */

/** 'Crème BRÛLÉE' → 'creme brulee'; the marks are those that NFKD takes off Latin, Greek and Cyrillic letters. */
export const fold = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase()
