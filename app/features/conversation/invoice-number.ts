export const invoiceNumber = (number: number) => String(number).padStart(4, '0')
