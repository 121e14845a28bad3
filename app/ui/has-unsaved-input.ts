/** true: a field below `root` differs from what the server sent, or a file is chosen. */
export const hasUnsavedInput = (root: ParentNode | null): boolean =>
  [...(root?.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>('input, textarea') ?? [])].some((field) => {
    if (field.type === 'file') return field.value !== ''
    if (field instanceof HTMLInputElement && field.type === 'checkbox') return field.checked !== field.defaultChecked
    return field.value !== field.defaultValue
  })
