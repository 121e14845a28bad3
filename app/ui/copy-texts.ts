export const copyTexts = {
  copy: 'Copy',
  label: (name: string) => `Copy: ${name}`,
  copied: (name: string) => `${name} copied`,
  failed: 'Your browser did not copy. Please select the text and copy it yourself.',
}
