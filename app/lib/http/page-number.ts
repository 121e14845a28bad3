/** Page numbers begin with 1; a missing or invalid number means 1. The caller knows the last page. */
export function parsePageNumber(params: URLSearchParams): number {
  const typed = params.get('page') ?? ''
  return /^\d{1,6}$/.test(typed) ? Math.max(1, Number(typed)) : 1
}
