import { useEffect, useRef } from 'react';
import { toast, Toaster as Sonner } from 'sonner';
import { toasterMounted } from '@/lib/toasts';
import { keepToastRoom } from './toast-room';

interface ToasterProps {
  theme: 'light' | 'dark';
}

/** The region of the toasts. It is a separate module, which is loaded with the first toast. */
export function Toaster({ theme }: ToasterProps) {
  const place = useRef<HTMLElement>(null);
  useEffect(() => (place.current === null ? undefined : keepToastRoom(place.current)), []);
  useEffect(() => toasterMounted(toast), []);
  return (
    <Sonner
      ref={place}
      theme={theme}
      position="bottom-right"
      offset={16}
      visibleToasts={4}
      closeButton
      richColors
    />
  );
}
