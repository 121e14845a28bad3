export const creditTexts = {
  title: 'Your credit',
  hint: (amount: string) =>
    `A testimony earns ${amount} OFF your next purchase. Mention the code with your next order.`,
  code: 'Code',
  amount: 'Amount',
  state: 'State',
  states: { open: 'Not used yet', used: 'Used' },
}
