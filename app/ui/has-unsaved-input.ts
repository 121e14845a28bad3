/** Returns true if a field inside `root` differs from the value that the server sent, or if a file is chosen. */
export const hasUnsavedInput = (root: ParentNode | null): boolean =>
  [...(root?.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>('input, textarea') ?? [])].some((field) => {
    if (field.type === 'file') return field.value !== ''
    if (field instanceof HTMLInputElement && field.type === 'checkbox') return field.checked !== field.defaultChecked
    return field.value !== field.defaultValue
  })
