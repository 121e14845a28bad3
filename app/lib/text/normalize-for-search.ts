/** Searches ignore case and accents. SQLite and PostgreSQL have a function `fold` with the same result as `normalizeForSearch`. */

/** Converts 'Crème BRÛLÉE' to 'creme brulee'. Removes the marks that NFKD separates from Latin, Greek and Cyrillic characters. */
export const normalizeForSearch = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase()
