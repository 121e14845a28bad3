/** From 1 on; what is missing or no number is the first page. Whoever lists knows which one is the last. */
export function readPageNumber(params: URLSearchParams): number {
  const typed = params.get('page') ?? ''
  return /^\d{1,6}$/.test(typed) ? Math.max(1, Number(typed)) : 1
}
