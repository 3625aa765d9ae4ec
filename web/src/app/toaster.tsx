import { useEffect } from 'react';
import { toast, Toaster as Sonner } from 'sonner';
import { toasterMounted } from '@/lib/toasts';

interface ToasterProps {
  theme: 'light' | 'dark';
}

/** The place of the toasts. A module of its own, that comes when something is to be said. */
export function Toaster({ theme }: ToasterProps) {
  useEffect(() => toasterMounted(toast), []);
  return <Sonner theme={theme} position="bottom-right" visibleToasts={4} closeButton richColors />;
}
