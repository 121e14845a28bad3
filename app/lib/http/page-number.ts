/** Returns the number in `?page=`, or 1 if this number is missing or invalid. The number may be larger than the number of the last page. */
export function parsePageNumber(params: URLSearchParams): number {
  const typed = params.get('page') ?? ''
  return /^\d{1,6}$/.test(typed) ? Math.max(1, Number(typed)) : 1
}
