import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { NewTask } from './NewTask';

test('adds what was typed and empties the field', async () => {
  const onAdd = vi.fn();
  render(<NewTask onAdd={onAdd} />);
  await userEvent.type(screen.getByLabelText('New task'), 'call home{Enter}');
  expect(onAdd).toHaveBeenCalledWith('call home');
  expect(screen.getByLabelText('New task')).toHaveValue('');
});
